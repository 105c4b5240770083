import { type Alert, advance, type Damping } from '../domain/health/alert.ts';
import { factsOf } from '../domain/health/condition.ts';
import { type Incident, nameOf } from '../domain/health/incident.ts';
import { type Change, noteTold } from '../domain/health/telling.ts';
import type { AlertChanges, StoredAlert } from './tables/alerts.ts';

/** Alerts of all audiences as they are known now. */
export interface AlertStates {
  /** Returns the alerts of an audience. */
  of(audience: string): readonly Alert[];
  /** Applies what was found for an audience. */
  advance(audience: string, found: readonly Incident[], now: number, damping: Damping): void;
  /** Notes that a channel was told news of an alert. */
  note(audience: string, alert: Alert, told: ToldBy): void;
  /** Removes audiences that no longer exist, and what channels were told that no longer listen. */
  keep(isListening: (audience: string, channel: string | undefined, alert: Alert) => boolean): void;
  /** Returns what has changed since the last time. */
  changes(): AlertChanges;
}

interface ToldBy {
  readonly change: Change;
  readonly channel: string;
  readonly by: string;
  readonly at: number;
}

/** Opens a book of stored alerts. */
export function openAlertStates(stored: readonly StoredAlert[]): AlertStates {
  const known = new Map(stored.map((it) => [keyOf(it), it]));
  let written = new Map(known);

  function set(audience: string, before: Alert | undefined, after: Alert | undefined): void {
    if (after) known.set(keyOf({ audience, alert: after }), { audience, alert: after });
    else if (before) known.delete(keyOf({ audience, alert: before }));
  }

  return {
    of: (audience) => [...known.values()].flatMap((it) => (it.audience === audience ? [it.alert] : [])),

    advance(audience, incidents, now, damping) {
      const found = new Map(incidents.map((it) => [nameOf(it), it]));
      // What nobody can judge stays as it was.
      const isUnjudged = (alert: Alert) => found.has(nameOf({ condition: 'unjudged', place: alert.finding.condition }));
      const before = new Map(this.of(audience).map((it) => [nameOf(it.finding), it]));
      for (const incident of incidents) {
        const own = before.get(nameOf(incident));
        const earlier = own ?? [...before.values()].find((it) => hasBecome(it.finding, incident, found));
        if (earlier && earlier !== own) {
          before.delete(nameOf(earlier.finding));
          set(audience, earlier, undefined);
        }
        set(audience, own, advance(earlier, incident, now, damping));
      }
      for (const [name, alert] of before)
        if (!found.has(name) && !isUnjudged(alert)) set(audience, alert, advance(alert, undefined, now, damping));
    },

    note(audience, alert, { change, channel, by, at }) {
      const latest = known.get(keyOf({ audience, alert }))?.alert;
      if (latest) set(audience, latest, noteTold(latest, change, channel, { at, by }));
    },

    keep(isListening) {
      for (const [key, { audience, alert }] of known) {
        const told = Object.entries(alert.told).filter(([channel]) => isListening(audience, channel, alert));
        if (!isListening(audience, undefined, alert)) known.delete(key);
        else if (told.length < Object.keys(alert.told).length)
          known.set(key, { audience, alert: { ...alert, told: Object.fromEntries(told) } });
      }
    },

    changes() {
      const saved = [...known].filter(([key, it]) => JSON.stringify(written.get(key)) !== JSON.stringify(it));
      const removed = [...written].filter(([key]) => !known.has(key));
      written = new Map(known);
      return { saved: saved.map(([, it]) => it), removed: removed.map(([, it]) => it) };
    },
  };
}

/** Reports whether what was wrong at a place is now another condition of its family. */
function hasBecome(before: Incident, now: Incident, found: ReadonlyMap<string, Incident>): boolean {
  const { family } = factsOf(now.condition);
  const gone = found.get(nameOf(before))?.isOver ?? true;
  return family !== undefined && factsOf(before.condition).family === family && before.place === now.place && gone;
}

const keyOf = ({ audience, alert: { finding } }: StoredAlert): string => `${audience}\n${nameOf(finding)}`;
