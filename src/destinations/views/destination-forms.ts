import { type Caller, may } from '../../admin/access.ts';
import { destinationAddress } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { words } from '../../base/text.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { type DestinationRow, isSilent } from './destination-row.ts';

export function actionsOf(row: DestinationRow, caller: Caller): Markup {
  const button = (action: string, name: string) =>
    html`<form method="post" action="${destinationAddress(row)}/${action}"><button>${name}</button></form>`;
  const waits = row.unsent > row.deadLetters && !isSilent(row);
  return html`<div class="actions">
${waits && may(caller, 'act') && button('send-now', 'Send backlog now')}
${may(caller, 'manage') && html`${button('test', 'Send a test')}${pauseSwitch(row, destinationAddress(row))}${row.origin === 'added' && renameForm(row)}`}
</div>`;
}

const renameForm = (row: DestinationRow): Markup => html`<button type="button" popovertarget="rename">Rename…</button>
<form class="filters" id="rename" popover method="post" action="${destinationAddress(row)}/rename"><label>New name <input name="to" maxlength="40" size="20" required></label> <button>Rename</button></form>`;

export function pauseSwitch(row: DestinationRow, back: string): Markup {
  const name = html`<span class="aside"> ${row.name}</span>`;
  const address = destinationAddress(row);
  const leads = html`<input type="hidden" name="back" value="${back}">`;
  if (isSilent(row))
    return html`<form method="post" action="${address}/resume">${leads}<button>Resume${name}</button></form>`;
  const id = `pause-${row.tenant}-${row.name}`;
  return html`<button type="button" popovertarget="${id}">Pause…${name}</button>
<form class="filters" id="${id}" popover method="post" action="${address}/pause">${leads}<label>Reason <input name="reason" maxlength="200" size="24" placeholder="Why, for the others" required></label> <button>Pause</button></form>`;
}

export const replayForm = ({ tenant, name }: DestinationRow): Markup => html`<section><h2 id="replay">Replay</h2>
<p class="muted">Sends announcements again, marked as replays: also those that were delivered, and those it missed. Shows a preview first.</p>
<form class="filters" method="post" action="/board/bulk">
<input type="hidden" name="action" value="repeat"><input type="hidden" name="tenant" value="${tenant}"><input type="hidden" name="destination" value="${name}">
<label>Created since <input name="since" maxlength="30" size="8" placeholder="2h, 7d" required></label>
<label>Until <input name="until" maxlength="30" size="8" placeholder="now"></label>
<label>Kind <select name="kind"><option value="">any</option>${subjectKinds.map((kind) => html`<option value="${kind}">${words(kind)}</option>`)}</select></label>
<label>Milestone <input name="milestone" maxlength="40" size="10" placeholder="packed"></label>
<label>Customer <input name="customer" maxlength="100" size="8"></label>
<button>Replay…</button>
</form></section>`;
