console.log('half and half')
