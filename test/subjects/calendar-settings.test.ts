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

it.each([
  ['EST', 'America/New_York, or America/Panama if its clocks do not change'],
  ['est', 'America/New_York, or America/Panama if its clocks do not change'],
  ['MST', 'America/Denver, or America/Phoenix if its clocks do not change'],
  ['HST', 'Pacific/Honolulu'],
  ['GMT', 'Europe/London, or Atlantic/Reykjavik if its clocks do not change'],
  ['Zulu', 'Europe/London, or Atlantic/Reykjavik if its clocks do not change'],
  ['Etc/GMT+5', 'America/New_York, or America/Panama if its clocks do not change'],
  ['Etc/GMT-1', 'Europe/Berlin, or Africa/Lagos if its clocks do not change'],
  ['etc/gmt', 'Europe/London, or Atlantic/Reykjavik if its clocks do not change'],
  ['SystemV/EST5', 'America/New_York, or America/Panama if its clocks do not change'],
  ['-06:00', 'America/Chicago, or America/Costa_Rica if its clocks do not change'],
  ['+0530', 'Asia/Kolkata'],
  ['UTC-5', 'America/New_York, or America/Panama if its clocks do not change'],
  ['GMT+1', 'Europe/Berlin, or Africa/Lagos if its clocks do not change'],
])('%j is refused with the zone to write: %s', (text, instead) => {
  expect(problemOfZone(text)).toBe(
    `has no daylight saving time and is the zone of no place: write that of the warehouse, such as ${instead}`,
  );
});

it.each(['Mars', 'America/Chicag', 'PST', '', 'America/Chicago; x', '+05:17', 'Factory'])(
  '%j is no time zone',
  (text) => {
    expect(problemOfZone(text)).toBe('must be the name of a time zone, such as America/Chicago');
  },
);
