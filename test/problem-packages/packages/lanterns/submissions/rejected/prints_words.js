console.log('many')
