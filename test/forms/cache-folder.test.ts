import { expect, it } from 'vitest';
import { findCacheFolder } from '../../src/forms/files.ts';

const home = () => '/home/a';

it('the cache folder follows XDG_CACHE_HOME if it is absolute', () => {
  expect(findCacheFolder({ XDG_CACHE_HOME: '/var/cache' }, home)).toBe('/var/cache/dockline');
  expect(findCacheFolder({ XDG_CACHE_HOME: 'relative' }, home)).toBe('/home/a/.cache/dockline');
  expect(findCacheFolder({}, home)).toBe('/home/a/.cache/dockline');
});

it('a user without a home has it in the data folder, unless the variable says where', () => {
  const homeless = () => {
    throw new Error('uv_os_homedir returned ENOENT');
  };
  expect(findCacheFolder({ XDG_CACHE_HOME: '/var/cache' }, homeless)).toBe('/var/cache/dockline');
  expect(findCacheFolder({ DATA_FOLDER: '/var/lib/dockline' }, homeless)).toBe('/var/lib/dockline/cache');
  expect(findCacheFolder({ DATA_FOLDER: '' }, homeless)).toBe('.dockline/cache');
});
