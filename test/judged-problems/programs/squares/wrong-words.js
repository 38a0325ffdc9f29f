console.log('one two three four')
