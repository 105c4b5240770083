import { sql } from 'kysely';
const root = process.argv[2]; const loc = process.argv[3];
const { openStore } = await import(`${root}/src/store/store.ts`);
const { readLeadTimes } = await import(`${root}/src/store/tables/lead-times.ts`);
const { readEverything } = await import(`${root}/src/store/limited-reads.ts`).catch(() => ({}));
const store = await openStore(loc.startsWith('postgres') ? { url: loc } : { file: loc });
const now = Date.now();
const db = store.db;
const { n } = await db.selectFrom('lead_times').select(({ fn }) => fn.countAll().as('n')).executeTakeFirst();
if (Number(n) === 0) {
  console.log('filling');
  for (let from = 0; from < 1_000_000; from += 2000) {
    const rows = Array.from({ length: 2000 }, (_, i) => { const k = from + i; return {
      tenant: '9104', kind: 'order', subject_id: String(310000000 + k), customer_id: String(400 + (k * 7919) % 40), facility_id: String(k % 3), carrier: ['UPS','FedEx','DHL'][k % 3],
      closed_at: now - ((k * 7919) % 1_000_000) * 2592, sample: (k * 2654435761 >>> 8) % 64, on_time: k % 9 === 0 ? 0 : 1, allocated_ms: (k * 31) % 100000, picked_ms: (k*37) % 1000000, packed_ms: (k*41) % 1000000, shipped_ms: (k*43)%5000000, whole_ms: (k*47) % 9000000 }; });
    await db.insertInto('lead_times').values(rows).execute();
  }
}
const reads = readEverything ? readEverything(store.reads) : store.reads;
for (const since of [30, 7]) {
 const times = []; let share;
 for (let i = 0; i < 25; i++) {
  const t = performance.now();
  const q = { kind: 'order', since: now - since * 86400000, until: now + 1 };

  if (root.endsWith('main')) { const r = await readLeadTimes(reads, q); ['all','day','customer'].map(r.by); share = r.share; }
  else { const all = await Promise.all(['all','day','customer'].map((by) => readLeadTimes(reads, { ...q, by }))); share = all[0].share; }
  times.push(performance.now() - t);
 }
 times.sort((a, b) => a - b);
 console.log(root, since, 'days: median', times[12].toFixed(0), 'p95', times[23].toFixed(0), 'max', times[24].toFixed(0), 'share', share);
}
await store.close();
