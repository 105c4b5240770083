import { html, type Markup } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import { table } from '../../admin/board/table.ts';
import { untrusted } from '../../admin/board/text.ts';
import type { BoardSources, View } from '../../admin/views/view.ts';

export const systemView: View = {
  pages: [
    {
      path: '/system',
      role: 'read',
      open: (sources) => async () => systemPage(sources),
    },
  ],
};

const systemPage = ({
  tenants,
  temporalUrl,
  hasStageLimits,
}: Pick<BoardSources, 'tenants' | 'temporalUrl' | 'hasStageLimits'>): Page => ({
  title: 'Settings',
  section: 'settings',
  content: html`<h1>Settings</h1>
<p class="muted">As the configuration has them, which is where they are changed. Who is announced to: <a href="/board/destinations">Destinations</a>.</p>
${!hasStageLimits && html`<p class="muted">Stage limits are off (<code>ORDER_STAGE_LIMITS=none</code>): no order is reported as stalled.</p>`}
<p><a href="/board/subjects?attention=refused">What the warehouse refused</a></p>
<section><h2 id="accounts">Warehouse accounts</h2>${accounts(tenants)}</section>
<section><h2>For programs</h2>
<p><a href="/board/openapi.json" download>Download openapi.json</a>: the calls of the API, and every announcement with an example</p>
${temporalUrl !== undefined && html`<p><a href="${temporalUrl}" rel="noreferrer">Workflows in the Temporal UI</a></p>`}</section>`,
});

const accounts = (tenants: BoardSources['tenants']): Markup =>
  table({
    heading: 'accounts',
    rows: tenants,
    columns: {
      Account: ({ id }) => untrusted(id),
      'Webhook endpoint': ({ endpoint }) => html`/webhooks/${untrusted(endpoint)}`,
      'Verified by': ({ verification }) => verification,
      Warehouse: ({ warehouse }) => untrusted(warehouse),
      'GETs per second': ({ callsPerSecond }) => callsPerSecond,
    },
  });
