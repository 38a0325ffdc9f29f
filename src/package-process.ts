import { planFunctions } from './features/judging/verifications/plan-functions.ts'
import { importFunctions } from './features/problems/problem-packages/package-reader.ts'
import { exportFunctions } from './features/problems/problem-packages/package-writer.ts'
import { serveCalls } from './package-process/serve-calls.ts'

// The process that reads packages; `src/package-process/package-process.ts` starts it.

const [, , keptCpuSeconds] = process.argv

serveCalls(
  (context) => [...importFunctions(context), ...exportFunctions(context), ...planFunctions(context)],
  Number(keptCpuSeconds),
)
