import { createHash } from 'node:crypto';
import type { SubjectKind } from '../domain/catalogue/subject.ts';
import type { Deadlines } from '../domain/deadlines/compute-deadline.ts';
import { deadlineOf } from '../domain/deadlines/deadline.ts';
import { type DeadlineRule, kindsWithDeadlines } from '../domain/deadlines/rule.ts';
import { readDeadlineFacts } from '../domain/kinds/record.ts';
import type { Places } from '../domain/kinds/section.ts';
import { findTenant } from '../domain/tenant.ts';

interface RuledTenant {
  readonly id: string;
  readonly deadlines: readonly DeadlineRule[];
  readonly properties?: Places;
}

interface RulesOfKind {
  readonly rules: readonly DeadlineRule[];
  readonly fingerprint: string;
}

/** Increase it when the same rules give another deadline, so that those of open subjects are computed again. */
const VERSION = 2;

export function createDeadlines(tenants: readonly RuledTenant[]): Deadlines {
  const byTenant = new Map(tenants.map((tenant) => [tenant, rulesByKind(tenant)]));
  const rulesFor = (tenant: string, kind: SubjectKind) => {
    const found = findTenant(tenants, tenant);
    return { ...(found && byTenant.get(found)?.get(kind)), places: found?.properties };
  };
  return {
    rulesOf: ({ tenant, kind }) => rulesFor(tenant, kind).fingerprint ?? '',
    find({ tenant, kind }, known, record) {
      const { rules = [], places } = rulesFor(tenant, kind);
      return deadlineOf({ ...readDeadlineFacts(kind, parse(record), places), ...known, kind }, rules);
    },
  };
}

function rulesByKind({ deadlines }: RuledTenant): ReadonlyMap<SubjectKind, RulesOfKind> {
  const kinds = kindsWithDeadlines.map((kind) => [kind, deadlines.filter((rule) => rule.kind === kind)] as const);
  return new Map(
    kinds
      .filter(([, rules]) => rules.length > 0)
      .map(([kind, rules]) => [kind, { rules, fingerprint: fingerprintOf(rules) }]),
  );
}

/** Includes the version of the time zones, which change with Node. */
const fingerprintOf = (rules: readonly DeadlineRule[]): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, process.versions.tz, rules]))
    .digest('base64url')
    .slice(0, 16);

/** A record that is no JSON has no facts. */
function parse(record: string | undefined): unknown {
  try {
    return record === undefined ? undefined : JSON.parse(record);
  } catch {
    return undefined;
  }
}
