# The programs that attack the sandbox.
bash run-delegated.sh npx vitest run --maxWorkers 1 --isolate=false --project hostile
