import type { AuditEntry, AuditedAttempt, AuditLog, AuditTarget } from '../../admin/audit.ts';
import type { Connections } from '../engines/connections.ts';
import type { StoreDeps } from '../schema.ts';

/** Creates the audit log. */
export function createAuditLog({
  db,
  reads,
  durably,
  now,
}: StoreDeps & Pick<Connections, 'reads' | 'durably'>): AuditLog {
  return {
    async begin(attempt) {
      const { id } = await durably((transaction) =>
        transaction.insertInto('audit').values(auditRow(attempt, now())).returning('id').executeTakeFirstOrThrow(),
      );
      return id;
    },

    note: ({ at, ...attempt }) =>
      durably(async (transaction) => {
        const row = { ...auditRow(attempt, at), outcome: 'done', detail: 'started' } as const;
        const { action, target } = row;
        const known = await transaction
          .selectFrom('audit')
          .select('id')
          .where(({ and }) => and({ at, action, target }))
          .executeTakeFirst();
        if (!known) await transaction.insertInto('audit').values(row).execute();
      }),

    async finish(id, { outcome, detail }) {
      await db.updateTable('audit').set({ outcome, detail }).where('id', '=', id).execute();
    },

    async list({ by, action }, { before, limit }) {
      let query = reads.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
      if (by !== undefined) query = query.where(({ eb, or }) => or([eb('token', '=', by), eb('operator', '=', by)]));
      if (action !== undefined) query = query.where('action', '=', action);
      if (before !== undefined) query = query.where('id', '<', before);
      return (await query.execute()).map(
        ({ token, operator, target_type: type, target, subject_key: _, ...row }): AuditEntry => ({
          ...row,
          actor: { token, operator },
          target: { type, id: target },
        }),
      );
    },
  };
}

/** Composes the row of an action that begins at a time. */
export const auditRow = ({ action, target, actor }: AuditedAttempt, at: number) => ({
  at,
  token: actor.token,
  operator: actor.operator,
  action,
  target_type: target.type,
  target: target.id,
  subject_key: subjectKeyOf(target),
});

/** Returns the key of the subject that an action concerns, so that an erasure finds its entries. */
function subjectKeyOf({ type, id }: AuditTarget): string | null {
  if (type === 'subject') return id;
  return type === 'announcement' ? id.replace(/\/.*/s, '') : null;
}
