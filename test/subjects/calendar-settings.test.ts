import { expect, it } from 'vitest';
import { problemOfZone } from '../../src/subjects/calendar-settings.ts';

it.each([
  'America/Chicago',
  'Europe/Berlin',
  'Asia/Kolkata',
  'America/Phoenix',
  'America/Argentina/Buenos_Aires',
  'US/Eastern',
  'Japan',
  'EST5EDT',
  'UTC',
  'Etc/UTC',
])('%j is the zone of a place, or says that it is none', (text) => {
  expect(problemOfZone(text)).toBeUndefined();
});

it.each(['EST', 'est', 'MST', 'HST', 'GMT', 'Zulu', 'Etc/GMT+5', 'Etc/GMT-1', 'etc/gmt'])('%j is refused', (text) => {
  expect(problemOfZone(text)).toBe(
    'has no daylight saving time and is the zone of no place: write that of the warehouse, such as America/Chicago',
  );
});

it.each(['Mars', 'America/Chicag', 'PST', '', 'America/Chicago; x', 'Factory', '-06:00', '+0530', 'UTC-5', 'GMT+1'])(
  '%j is no time zone',
  (text) => {
    expect(problemOfZone(text)).toBe('must be the name of a time zone, such as America/Chicago');
  },
);
