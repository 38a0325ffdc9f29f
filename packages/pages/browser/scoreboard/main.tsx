import { render } from 'preact'
import '../shared/base.css'
import '../shared/standings.css'
import './scoreboard.css'
import { readEventId } from '../shared/event-id.ts'
import { Scoreboard } from './scoreboard.tsx'

// The fragment never leaves the browser; the token in it is sent in a header.
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined
const byTeam = new URLSearchParams(location.search).get('by') === 'team'
const address = { eventId: readEventId(location.pathname), token, byTeam }
addEventListener('hashchange', () => location.reload())

const page = document.querySelector('#page')
if (page !== null) render(<Scoreboard address={address} />, page)
