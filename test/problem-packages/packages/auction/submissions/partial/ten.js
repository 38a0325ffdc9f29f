console.log(10)
