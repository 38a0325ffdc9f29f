process.stdin.once('data', () => {
  console.log('4')
  process.stdin.destroy()
})
