import { missingSandbox } from '../support/sandboxes.ts'
import { testValidators } from '../support/validator-cases.ts'

testValidators('bubblewrap', await missingSandbox('bubblewrap'))
