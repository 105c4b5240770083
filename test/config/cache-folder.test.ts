import { expect, it } from 'vitest';
import { findCacheFolder } from '../../src/config/cache-folder.ts';

it('the cache folder follows XDG_CACHE_HOME if it is absolute', () => {
  expect(findCacheFolder({ XDG_CACHE_HOME: '/var/cache' }, '/home/a')).toBe('/var/cache/dockline');
  expect(findCacheFolder({ XDG_CACHE_HOME: 'relative' }, '/home/a')).toBe('/home/a/.cache/dockline');
  expect(findCacheFolder({}, '/home/a')).toBe('/home/a/.cache/dockline');
});
