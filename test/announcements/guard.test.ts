import { describe, expect, it } from 'vitest';
import { createGuard } from '../../src/announcements/guard.ts';

const OUTSIDE = 'https://hooks.example.com/announcements';

const internal = [
  '0.0.0.0',
  '10.1.2.3',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::a00:1',
  '2001:0:1::1',
  '2002:a00:1::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
];

const external = ['8.8.8.8', '100.63.255.255', '172.15.0.1', '172.32.0.1', '192.167.0.1', '2606:4700::1111', '2a00::1'];

describe('a guard', () => {
  it.each(internal)('refuses %s', (address) => {
    expect(createGuard(OUTSIDE, [])(address)).toBe(false);
  });

  it.each(external)('lets %s pass', (address) => {
    expect(createGuard(OUTSIDE, [])(address)).toBe(true);
  });

  it('refuses what is no address', () => {
    expect(createGuard(OUTSIDE, [])('an address unknown')).toBe(false);
  });

  it('lets listed addresses and ranges pass, and nothing beside them', () => {
    const guard = createGuard(OUTSIDE, ['10.0.0.5', '192.168.0.0/24', 'fd00::/8']);
    expect(['10.0.0.5', '192.168.0.77', 'fd12::1', '::ffff:10.0.0.5'].map(guard)).toEqual([true, true, true, true]);
    expect(['10.0.0.6', '192.168.1.1', 'fe80::1', '127.0.0.1'].map(guard)).toEqual([false, false, false, false]);
  });

  it.each(['http://localhost:8090', 'http://127.0.0.1:8090', 'http://[::1]:8090', 'https://demo.localhost'])(
    'of %s lets loopback pass and nothing else',
    (url) => {
      const guard = createGuard(url, []);
      expect(['127.0.0.1', '::1'].map(guard)).toEqual([true, true]);
      expect(['8.8.8.8', '10.0.0.1', '2606:4700::1111', '169.254.169.254'].map(guard)).not.toContain(true);
    },
  );
});
