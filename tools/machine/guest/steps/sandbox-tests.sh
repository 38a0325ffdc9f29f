# The tests of the sandbox, in a unit with a control group of its own. README.md says which are left
# out.
tests=(sandbox/sandbox sandbox/isolation sandbox/programs-group processes/container sandbox/seccomp
  sandbox/worker-start sandbox/runs-ahead)
bash run-delegated.sh npx vitest run --maxWorkers 1 --project sandbox --project processes \
  "${tests[@]/#/packages/worker/test/}"
