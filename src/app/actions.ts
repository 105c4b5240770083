import type { Action } from '../admin/action.ts';
import { backUp } from '../admin/backup-action.ts';
import { alertActions } from '../alerts/actions.ts';
import { destinationActions } from '../destinations/actions.ts';
import { resendAnnouncement } from '../destinations/resend.ts';
import { sendAnnouncementNow } from '../destinations/send-now.ts';
import { nameActions } from '../inbox/name-actions.ts';
import { replayQuarantined } from '../inbox/replay-action.ts';
import { subjectActions } from '../subjects/actions.ts';

/** Everything that a person can change of one thing. Bulk actions are apart. */
export const actions: readonly Action[] = [
  ...subjectActions,
  resendAnnouncement,
  sendAnnouncementNow,
  replayQuarantined,
  backUp,
  ...destinationActions,
  ...alertActions,
  ...nameActions,
];
