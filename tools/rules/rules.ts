import { stringify } from 'yaml';
import { type ConditionName, conditionNames, factsOf } from '../../src/domain/health/condition.ts';
import { code, table, withTables } from '../../test/support/marked-tables.ts';

/** File of the rules. */
export const file = new URL('../../deploy/prometheus/alerts.yaml', import.meta.url);

/** Name of the rule of a condition: `DocklineWarehouseFailing`. */
export const ruleOf = (name: ConditionName): string =>
  `Dockline${name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  readonly runbook: string;
}

/** What no process can say of itself. */
const ofProcesses: readonly Rule[] = [
  {
    alert: 'DocklineDown',
    expr: 'up{job="dockline"} == 0',
    for: '2m',
    severity: 'critical',
    summary: 'A process of Dockline does not answer: {{ $labels.instance }}.',
    runbook: 'a-process-is-down',
  },
  {
    alert: 'DocklineDeliveriesNotAccepted',
    expr: 'sum by (job, endpoint) (rate(dockline_webhook_deliveries_total{outcome="refused", status=~"5.."}[5m])) > 0',
    for: '5m',
    severity: 'critical',
    summary: 'Deliveries to {{ $labels.endpoint }} are answered 5xx; their sender has to repeat them.',
    runbook: 'the-inbox-grows',
  },
];

function ruleFor(condition: ConditionName): Rule {
  const { title, isUrgent, runbook } = factsOf(condition);
  return {
    alert: ruleOf(condition),
    // The age has a series as long as the incident lasts, whatever it holds up.
    expr: `max by (job, condition, place) (dockline_incident_age_seconds{condition="${condition}"}) >= 0`,
    // Longer than a scrape may be late: an incident has held for a while before it is one.
    for: '1m',
    severity: isUrgent ? 'critical' : 'warning',
    summary: `${title}{{ with $labels.place }}: {{ . }}{{ end }}`,
    runbook,
  };
}

const write = ({ severity, summary, runbook, ...rule }: Rule) => ({
  ...rule,
  labels: { severity },
  annotations: { summary, runbook_url: `docs/runbooks.md#${runbook}` },
});

const HEAD = `# Alert rules for Prometheus: one for each condition of docs/alerts.md, and two for what no process can say of itself. Written by
# \`npm run rules\`. They expect one job named "dockline" that scrapes every process; METRICS_PORT switches the metrics on. runbook_url is a
# path in Dockline's repository: put the address where you read it in front.
`;

const allRules = [...ofProcesses, ...conditionNames.map(ruleFor)];

/** Writes the rules. */
export const writeRules = (): string =>
  HEAD + stringify({ groups: [{ name: 'dockline', rules: allRules.map(write) }] }, { lineWidth: 0 });

/** The page with the table of conditions. */
export const page = 'docs/alerts.md';

/** Returns the content of {@link page}. */
export const writePage = (): string =>
  withTables(page, {
    conditions: table(
      ['condition', 'it holds when', 'urgent'],
      conditionNames.map((name) => {
        const { holdsWhen, isUrgent } = factsOf(name);
        return [code(name), holdsWhen, isUrgent ? 'yes' : ''];
      }),
    ),
  });
