import type { Action } from '../admin/action.ts';
import { type BackupParts, backUp } from '../admin/backup-action.ts';
import { type AlertParts, alertActions } from '../alerts/actions.ts';
import { actionsOnAll, type BulkParts } from '../bulk/actions.ts';
import { type DestinationParts, destinationActions } from '../destinations/actions.ts';
import { type HealthParts, healthActions } from '../health/actions.ts';
import { type NameParts, nameActions } from '../inbox/name-actions.ts';
import { type ReplayParts, replayQuarantined } from '../inbox/replay-action.ts';
import { type SubjectParts, subjectActions } from '../subjects/actions.ts';

export type ActionParts = SubjectParts &
  DestinationParts &
  ReplayParts &
  NameParts &
  AlertParts &
  HealthParts &
  BackupParts &
  BulkParts;

export const actions: readonly Action<ActionParts>[] = [
  ...subjectActions,
  replayQuarantined,
  backUp,
  ...destinationActions,
  ...alertActions,
  ...healthActions,
  ...nameActions,
  ...actionsOnAll,
];
