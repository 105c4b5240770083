/** Lays out rows of text in columns, the first row as the heading. */
export function layOut(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const [heading = '', ...body] = lines;
  return [heading, widths.map((width) => '─'.repeat(width)).join('  '), ...body].join('\n');
}
