import type { Away } from '../../temporal/health.ts';
import { html, type Markup } from '../board/html.ts';
import type { Page } from '../board/layout.ts';
import { livePage } from '../board/responder.ts';
import { table, unbroken } from '../board/table.ts';
import { age, foreign, plural, when } from '../board/text.ts';
import { type FailingRow, findFailing } from './failing.ts';
import type { BoardSources, View } from './view.ts';

/** Installation: what fails, and which accounts it serves. Its readers share what fails. */
export const systemView: View = {
  pages: [
    {
      path: '/system',
      role: 'read',
      open(sources) {
        const { tenants, temporalUrl, findAway, hasStageLimits, share } = sources;
        const failing = share(() => findFailing(sources));
        return async () =>
          livePage(systemPage, { tenants, temporalUrl, failing: await failing(), away: findAway(), hasStageLimits });
      },
    },
  ],
};

const systemPage = ({
  tenants,
  failing,
  temporalUrl,
  away,
  hasStageLimits,
  now,
}: Pick<BoardSources, 'tenants' | 'temporalUrl' | 'hasStageLimits'> & {
  readonly failing: readonly FailingRow[];
  readonly away: Away | undefined;
  readonly now: number;
}): Page => ({
  title: 'System',
  section: 'settings',
  content: html`<h1>System</h1>
<section><h2 id="health">Health</h2>
<p>${away ? html`<span class="badge warn">away</span> ${away.part === 'Temporal' ? 'Temporal does not answer' : 'No worker polls'} since ${when(away.since)} (${age(away.since, now)}).` : html`<span class="badge good">well</span> Temporal answers, and a worker polls.`}</p>
${!hasStageLimits && html`<p class="muted">Stage limits are off (<code>ORDER_STAGE_LIMITS=none</code>): no order is reported as stalled.</p>`}</section>
<section><h2 id="failing">Failing now</h2>
${failing.length === 0 ? html`<p class="empty">Nothing is failing.</p>` : failures(failing, now)}
<p><a href="/board/subjects?attention=refused">What the warehouse refused</a></p></section>
<section><h2 id="accounts">Warehouse accounts</h2>${accounts(tenants)}
<p><a href="/board/destinations">Destinations, and what waits for them</a></p></section>
<section><h2>For programs</h2>
<p><a href="/board/openapi.json" download>Download openapi.json</a>: the calls of the API, and every announcement with an example</p>
${temporalUrl !== undefined && html`<p><a href="${temporalUrl}" rel="noreferrer">Workflows in the Temporal UI</a></p>`}</section>`,
});

const failures = (failing: readonly FailingRow[], now: number): Markup =>
  table({
    heading: 'failing',
    columns: ['What', 'Account', unbroken('Affects'), unbroken('For'), 'Last error', unbroken('Next try')],
    rows: failing.map(({ operation, tenant, subjects, since, error, nextTryAt }) => ({
      cells: [
        foreign(operation),
        foreign(tenant),
        plural(subjects, 'record'),
        age(since, now),
        foreign(error, 300),
        nextTryAt.getTime() > now ? when(nextTryAt) : 'now',
      ],
    })),
  });

const accounts = (tenants: BoardSources['tenants']): Markup =>
  table({
    heading: 'accounts',
    columns: ['Account', 'Webhook endpoint', 'Verified by', 'Warehouse', 'GETs per second', 'Announced to'],
    rows: tenants.map(({ id, endpoint, verification, warehouse, callsPerSecond, destinations }) => ({
      cells: [
        id === undefined ? 'any' : foreign(id),
        html`/webhooks/${foreign(endpoint)}`,
        verification,
        foreign(warehouse),
        callsPerSecond,
        destinations.map(({ name, url }) => html`<div>${destinations.length > 1 && `${name}: `}${foreign(url)}</div>`),
      ],
    })),
  });
