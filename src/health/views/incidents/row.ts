import { z } from 'zod';
import { count, instant, listOf } from '../../../admin/views/view.ts';
import { conditionNames, factsOf } from '../../../domain/health/condition.ts';
import { type Incident, nameOf } from '../../../domain/health/incident.ts';
import { mainKind } from '../../../domain/kinds/kinds.ts';
import { readRow } from '../../../store/stored-row.ts';

const customerRow = z.object({
  id: z.string().nullable().describe('Null while it is not known whose they are.'),
  name: z.string().nullable(),
  count,
});

export const incidentRow = z.object({
  name: z.string().describe('Condition and place, such as `warehouse-failing@9104`, the same everywhere.'),
  condition: z.enum(conditionNames),
  place: z.string().describe('Empty for the installation.'),
  sort: z.string().describe('What it is like now, such as the status of the answers.'),
  title: z.string(),
  isUrgent: z.boolean(),
  since: instant,
  count: count.describe('Things that it holds up.'),
  isMore: z.boolean().describe('There may be more.'),
  unit: z.enum([mainKind, 'record', 'announcement', 'webhook', 'difference']).nullable(),
  customers: listOf(customerRow),
  atRisk: count.describe('Those of them that are at risk of being late.'),
  lastAnswer: z.string().nullable(),
  nextTryAt: instant.nullable(),
  does: z.string().describe('What Dockline does by itself.'),
  help: z.string().describe('What a person can do.'),
  path: z.string().describe('Page of the board where it is fixed.'),
  acknowledged: z
    .object({ by: z.string(), at: instant })
    .nullable()
    .describe('Person who has acknowledged it as it is now.'),
  action: z.object({ name: z.string(), path: z.string() }).nullable().describe('Call that helps.'),
});

export type IncidentRow = z.output<typeof incidentRow>;

export function toRow(incident: Incident): IncidentRow {
  const { condition, because, acknowledged } = incident;
  const { isUrgent, does, help } = factsOf(condition);
  return readRow(incidentRow, incident, {
    ...{ name: nameOf(incident), isUrgent, does, help, lastAnswer: because },
    acknowledged: acknowledged && { ...acknowledged, at: new Date(acknowledged.at) },
  });
}
