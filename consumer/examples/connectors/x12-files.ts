// Writes a 945 for each confirmed order and a 944 for each receipt: X12_SENDER=ZZ:WAREHOUSE X12_RECEIVER=ZZ:DEPOSITOR X12_FOLDER=out node x12-files.ts
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Connector } from './receiver.ts';
import { toReceiptAdvice, toShippingAdvice } from './x12.ts';
import type { Partners } from './x12-interchange.ts';

interface Files extends Partners {
  readonly folder: string;
  readonly now?: () => Date;
}

/** Each announcement has one control number for ever, so that its file is written again with the same bytes. */
const TABLE = `create table if not exists x12_interchanges
  (control integer primary key autoincrement, announcement text not null unique, at text not null)`;

export function createX12Connector({ folder, now = () => new Date(), ...partners }: Files): Connector {
  mkdirSync(folder, { recursive: true });
  // A database of its own: what the store rolls back would free a number whose file is written.
  const database = new DatabaseSync(join(folder, 'controls.db'));
  database.exec(TABLE);

  function envelopeOf(announcement: string) {
    const known = database.prepare('select control, at from x12_interchanges where announcement = ?');
    if (!known.get(announcement))
      database
        .prepare('insert into x12_interchanges (announcement, at) values (?, ?)')
        .run(announcement, now().toISOString());
    const row = known.get(announcement);
    return { ...partners, control: Number(row?.control), at: new Date(String(row?.at)) };
  }

  /** It is there as a whole or not at all. */
  function write(name: string, text: string): void {
    const path = join(folder, name);
    writeFileSync(`${path}.part`, text, { flush: true });
    renameSync(`${path}.part`, path);
  }

  return ({ id, type, data }) => {
    if (type === 'dockline.order.confirmed' && data.advice) {
      const envelope = envelopeOf(id);
      write(`945-${envelope.control}.x12`, toShippingAdvice(data.advice, envelope));
    }
    if (type === 'dockline.receipt.confirmed' && data.advice) {
      const envelope = envelopeOf(id);
      write(`944-${envelope.control}.x12`, toReceiptAdvice(data.advice, envelope));
    }
  };
}

function partnerOf(name: string, text: string | undefined): Partners['sender'] {
  const [, qualifier, id] = /^(\w\w):(.{2,15})$/.exec(text ?? '') ?? [];
  if (!qualifier || !id) throw new Error(`${name} must be a qualifier and an id, such as ZZ:WAREHOUSE`);
  return [qualifier, id];
}

if (import.meta.main) {
  const { serve } = await import('./receiver.ts');
  const { X12_SENDER, X12_RECEIVER, X12_USAGE, X12_FOLDER: folder = 'x12' } = process.env;
  const sender = partnerOf('X12_SENDER', X12_SENDER);
  const receiver = partnerOf('X12_RECEIVER', X12_RECEIVER);
  await serve(createX12Connector({ folder, sender, receiver, usage: X12_USAGE === 'P' ? 'P' : 'T' }));
}
