# The programs that attack the sandbox, without the tests that compare clocks: README.md names them.
bash run-delegated.sh npx vitest run --maxWorkers 1 --project hostile \
  --testNamePattern '^(?!.*(messages without delay|a feedback folder with))'
