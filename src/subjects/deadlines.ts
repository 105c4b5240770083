import { createHash } from 'node:crypto';
import type { Deadlines } from '../../activities/ports/deps.ts';
import type { SubjectKind } from '../domain/catalogue/subject.ts';
import { deadlineOf } from '../domain/deadlines/deadline.ts';
import { type DeadlineRule, kindsWithDeadlines } from '../domain/deadlines/rule.ts';
import { findTenant } from '../domain/tenant.ts';
import type { readDeadlineFacts } from '../warehouse/resources/deadline-facts.ts';

/** Tenant with its rules; `id` is undefined for an only one. */
interface RuledTenant {
  readonly id: string | undefined;
  readonly deadlines: readonly DeadlineRule[];
}

/** Rules of one kind of a tenant's subjects. */
interface RulesOfKind {
  readonly rules: readonly DeadlineRule[];
  readonly fingerprint: string;
}

/** Increase it when the same rules give another deadline, so that those of open subjects are computed again. */
const VERSION = 2;

/** Creates the rules by which the subjects of tenants are due; `readFacts` reads what they need of a record. */
export function createDeadlines(tenants: readonly RuledTenant[], readFacts: typeof readDeadlineFacts): Deadlines {
  const byTenant = new Map(tenants.map((tenant) => [tenant, rulesByKind(tenant)]));
  const rulesFor = (tenant: string, kind: SubjectKind): RulesOfKind | undefined => {
    const found = findTenant(tenants, tenant);
    return found && byTenant.get(found)?.get(kind);
  };
  return {
    rulesOf: ({ tenant, kind }) => rulesFor(tenant, kind)?.fingerprint ?? '',
    find({ tenant, kind }, known, record) {
      const { rules = [] } = rulesFor(tenant, kind) ?? {};
      return deadlineOf({ ...readFacts(kind, parse(record)), ...known, kind }, rules);
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

/** The rules of time zones change too, with the version of Node. */
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
