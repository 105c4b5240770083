import type { Away } from '../../../temporal/health.ts';
import type { FailingActivity } from '../../ports.ts';
import { html, type Markup } from '../html.ts';
import type { Page } from '../layout.ts';
import { table } from '../table.ts';
import { age, foreign, plural, when } from '../text.ts';

/** Settings of a warehouse account that are no secret. */
export interface ShownTenant {
  readonly id: string | undefined;
  readonly endpoint: string;
  readonly verification: string;
  readonly warehouse: string;
  readonly callsPerSecond: number;
  readonly destination: string;
}

/** Page of the installation: what fails, and which accounts it serves. */
export const systemPage = ({
  tenants,
  failing,
  temporalUrl,
  away,
  hasStageLimits,
  now,
}: {
  readonly tenants: readonly ShownTenant[];
  readonly failing: readonly FailingActivity[];
  readonly temporalUrl: string | undefined;
  readonly away: Away | undefined;
  readonly hasStageLimits: boolean;
  readonly now: number;
}): Page => ({
  title: 'System',
  section: '/board/system',
  content: html`<h1>System</h1>
<section><h2 id="health">Health</h2>
<p>${away ? html`<span class="badge warn">away</span> ${away.part === 'Temporal' ? 'Temporal does not answer' : 'No worker polls'} since ${when(away.since)} (${age(away.since, now)}).` : html`<span class="badge good">well</span> Temporal answers, and a worker polls.`}</p>
${!hasStageLimits && html`<p class="muted">Stage limits are not set (<code>ORDER_STAGE_LIMITS</code>): no order is reported as late.</p>`}</section>
<section><h2 id="failing">Failing now</h2>
${failing.length === 0 ? html`<p class="empty">Nothing is being tried again.</p>` : failures(failing, now)}
<p><a href="/board/subjects?attention=refused">What the warehouse refused</a></p></section>
<section><h2 id="accounts">Warehouse accounts</h2>${accounts(tenants)}</section>
<section><h2>For programs</h2>
<p><a href="/board/api">Calls of the API, and every announcement with an example</a></p>
${temporalUrl !== undefined && html`<p><a href="${temporalUrl}" rel="noreferrer">Workflows in the Temporal UI</a></p>`}</section>`,
});

const failures = (failing: readonly FailingActivity[], now: number): Markup =>
  table({
    heading: 'failing',
    columns: ['What', 'Account', 'Affects', 'For', 'Last error', 'Next try'],
    rows: failing.map(
      ({ operation, tenant, subjects, since, error, nextTryAt }) => html`<tr>
<th scope="row">${foreign(operation)}</th><td>${foreign(tenant)}</td><td class="nowrap">${plural(subjects, 'record')}</td>
<td class="nowrap">${age(since, now)}</td><td>${foreign(error, 300)}</td><td class="nowrap">${nextTryAt > now ? when(nextTryAt) : 'now'}</td>
</tr>`,
    ),
  });

const accounts = (tenants: readonly ShownTenant[]): Markup =>
  table({
    heading: 'accounts',
    columns: ['Account', 'Webhook endpoint', 'Verified by', 'Warehouse', 'GETs per second', 'Announced to'],
    rows: tenants.map(
      ({ id, endpoint, verification, warehouse, callsPerSecond, destination }) => html`<tr>
<th scope="row">${id === undefined ? 'any' : foreign(id)}</th><td>/webhooks/${foreign(endpoint)}</td><td>${verification}</td>
<td>${foreign(warehouse)}</td><td>${callsPerSecond}</td><td>${foreign(destination)}</td>
</tr>`,
    ),
  });
