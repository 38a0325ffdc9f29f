console.log('impossible')
