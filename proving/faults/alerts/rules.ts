import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The alert rules that are shipped. */
export const rulesFile = new URL('../../../deploy/prometheus/alerts.yaml', import.meta.url);

/** Alert rule. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

/** Returns the rules of a file of Prometheus. */
export const readRules = (text = readFileSync(rulesFile, 'utf8')): readonly AlertRule[] =>
  parse(text).groups.flatMap(({ rules }: { readonly rules: readonly AlertRule[] }) => rules);

const UNITS = { m: 's', h: 'm' } as const;

/** Divides all durations of a file of rules by 60, so that a minute becomes a second: windows and `for`. */
export const scaleRules = (text: string): string =>
  text.replaceAll(/\b(\d+)([mh])\b/g, (_, count: string, unit: keyof typeof UNITS) => count + UNITS[unit]);
