# The tests of the sandbox, in a unit with a control group of its own.
tests=(sandbox isolation launcher programs-group program-folder process-tree waiting-start seccomp container)
bash run-delegated.sh npx vitest run --project packages "${tests[@]/#/packages/worker/test/}"
