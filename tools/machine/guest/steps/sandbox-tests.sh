# The tests of the sandbox, in a unit with a control group of its own. README.md says which are left
# out.
tests=(sandbox isolation programs-group container seccomp worker-start waiting-start)
bash run-delegated.sh npx vitest run --maxWorkers 1 --isolate=false --project packages \
  "${tests[@]/#/packages/worker/test/}"
