// Claims that memory ran out, in the words of the engine.
console.log('done')
console.error('FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory')
process.exitCode = 1
