import type { AuditedAttempt, AuditOutcome, AuditTarget } from '../../domain/audit.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { changeRows, rowsOf } from '../../store/rows.ts';
import type { StoreDeps } from '../../store/schema.ts';

export function createAuditLog({ db, durably, now }: StoreDeps & Pick<Connections, 'durably'>) {
  return {
    /** Durable; returns the entry's id. */
    async begin(attempt: AuditedAttempt) {
      const { id } = await durably((transaction) =>
        transaction.insertInto('audit').values(auditRow(attempt, now())).returning('id').executeTakeFirstOrThrow(),
      );
      return id;
    },

    /** Durable, once for each action, target and time. Its end is not logged. */
    note: ({ at, ...attempt }: AuditedAttempt & { readonly at: number }) =>
      durably(async (transaction) => {
        const row = { ...auditRow(attempt, at), outcome: 'done', detail: 'started' } as const;
        const { action, target } = row;
        const known = await rowsOf(transaction, 'audit', { at, action, target }).select('id').executeTakeFirst();
        if (!known) await transaction.insertInto('audit').values(row).execute();
      }),

    /** Null: not ended, but nobody waits any longer. */
    async finish(
      id: number,
      { outcome, detail }: { readonly outcome: AuditOutcome | null; readonly detail: string | null },
    ) {
      await changeRows(db, 'audit', { id }).set({ outcome, detail }).execute();
    },
  };
}

export const auditRow = ({ action, target, actor }: AuditedAttempt, at: number) => ({
  at,
  token: actor.token,
  operator: actor.operator,
  action,
  target_type: target.type,
  target: target.id,
  subject_key: subjectKeyOf(target),
});

/** An erasure finds entries by it. */
function subjectKeyOf({ type, id }: AuditTarget): string | null {
  if (type === 'subject') return id;
  return type === 'announcement' ? id.replace(/\/.*/s, '') : null;
}
