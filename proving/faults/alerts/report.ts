import { existsSync } from 'node:fs';
import { formatTable } from '../../../src/base/text-table.ts';
import { type ConditionName, conditionNames } from '../../../src/domain/health/condition.ts';
import { ruleOf } from '../../../tools/rules/rules.ts';
import { faults } from '../faults.ts';
import { outages } from './outages.ts';
import { readRules } from './rules.ts';
import type { AlertsOutcome, SeenAlert } from './run-alerts.ts';

/** Result of all outages: what was seen of each alert, and whether all of them fired and cleared. */
export interface AlertsResult {
  readonly well: boolean;
  readonly alerts: readonly SeenAlert[];
  readonly problems: readonly string[];
}

/** Returns the shipped alerts, and the conditions that people are told of, that no fault is for and no test. */
export function withoutOutage(): readonly string[] {
  const brings = (fault: string, condition: ConditionName) =>
    faults.some(({ name, told = [], alerts = [] }) => {
      return name === fault && (told.includes(condition) || alerts.includes(ruleOf(condition)));
    });
  const isCovered = (condition: ConditionName) => {
    const outage = outages[condition];
    return typeof outage === 'string' ? brings(outage, condition) : existsSync(outage.by);
  };
  const ofConditions = new Set(conditionNames.map(ruleOf));
  const named = new Set(faults.flatMap(({ alerts = [] }) => alerts));
  const others = readRules().filter(({ alert }) => !ofConditions.has(alert) && !named.has(alert));
  return [...others.map(({ alert }) => alert), ...conditionNames.filter((name) => !isCovered(name))];
}

/** Sums up the outages. */
export function toAlertsResult(outcomes: readonly AlertsOutcome[]): AlertsResult {
  const alerts = outcomes.flatMap(({ seen }) => seen);
  const problems = [
    ...outcomes.flatMap(({ problem }) => problem ?? []),
    ...withoutOutage().map((alert) => `no fault is for ${alert}`),
  ];
  const isSeen = ({ firedAfter, clearedAfter }: SeenAlert) => firedAfter !== undefined && clearedAfter !== undefined;
  return { well: alerts.length > 0 && problems.length === 0 && alerts.every(isSeen), alerts, problems };
}

const heading = ['alert', 'outage', 'fired after', 'cleared after', 'it said'];

/** Formats the result as a table, and the verdict as the last line. */
export function reportAlerts({ well, alerts, problems }: AlertsResult): string {
  const time = (seconds: number | undefined) => (seconds === undefined ? 'never' : `${seconds} s`);
  const rows = alerts.map(({ alert, outage, firedAfter, clearedAfter, summary = '' }) => [
    alert,
    outage,
    time(firedAfter),
    time(clearedAfter),
    summary,
  ]);
  const verdict = well ? 'Every alert fired in its outage and cleared after it.' : `FAILED: ${problems.join('; ')}`;
  return [formatTable([heading, ...rows]), '', EXPLANATION, verdict].join('\n');
}

const EXPLANATION = `All durations of the rules were divided by 60: a minute took a second. fired after: from the begin of the outage. cleared
after: from its end.`;
