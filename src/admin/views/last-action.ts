import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { type AuditTarget, auditedActions } from '../../domain/audit.ts';
import type { Database } from '../../store/schema.ts';
import { readRow } from '../../store/stored-row.ts';
import { actorName } from '../board/actor-name.ts';
import { html, type Markup } from '../board/html.ts';
import { ago, untrusted } from '../board/text.ts';
import { auditRow } from './audit.ts';

export const lastAction = auditRow.omit({ id: true, target: true });

type LastAction = z.output<typeof lastAction>;

const SEARCHED = 1000;

export async function findLastAction(reads: Kysely<Database>, { type, id }: AuditTarget): Promise<LastAction | null> {
  const newest = reads.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(SEARCHED);
  const row = await reads
    .selectFrom(newest.as('newest'))
    .select(['at', 'token', 'operator', 'action', 'outcome', 'detail'])
    .where('target_type', '=', type)
    .where('target', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row ? readRow(lastAction, row, {}) : null;
}

const TOLD_MS = 120_000;

/** By its entry in the audit log, which a live page reads again. */
export function showResult(last: LastAction | null, now: number): Markup | null {
  if (last === null || now - last.at.getTime() > TOLD_MS) return null;
  const { action, outcome, detail, at } = last;
  const isBad = outcome === 'failed' || outcome === 'refused';
  const result = outcome ?? (detail === null ? 'under way' : 'not ended');
  return html`<p class="${isBad ? 'problem' : 'notice'}" role="status" id="notice">${auditedActions[action]}: ${result}${detail !== null && html`, ${untrusted(detail, 300)}`} <span class="muted">${actorName(last)}, ${ago(at, now)}</span></p>`;
}
