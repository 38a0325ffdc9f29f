import { render } from 'preact'
import '../shared/base.css'
import '../shared/standings.css'
import 'temml/dist/Temml-Local.css'
import './contest.css'
import './standings-frame.css'
import './phone.css'
import './statement.css'
import { readEventId } from '../shared/event-id.ts'
import { Contest } from './contest.tsx'

const page = document.querySelector('#page')
if (page !== null) render(<Contest eventId={readEventId(location.pathname)} />, page)
