console.log('which room?')
