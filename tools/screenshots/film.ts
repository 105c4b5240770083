/** Picture of a film, with what is said below it and for how long it is seen, in seconds. */
export interface Frame {
  readonly webp: Buffer;
  readonly caption: string;
  readonly seconds: number;
}

const CAPTION_HEIGHT = 56;

/** Draws a film that repeats, as a picture that needs no player; where no motion is wanted, its first frame stays. */
export function drawFilm(
  frames: readonly Frame[],
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const whole = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  let from = 0;
  const drawn = frames.map(({ webp, caption, seconds }, index) => {
    const [start, end] = [from, from + seconds].map((at) => ((at / whole) * 100).toFixed(2));
    from += seconds;
    const steps =
      index === 0 ? `0%{opacity:1}${end}%,100%{opacity:0}` : `0%{opacity:0}${start}%{opacity:1}${end}%,100%{opacity:0}`;
    return {
      style: `@keyframes f${index}{${steps}}#f${index}{animation:f${index} ${whole}s step-end infinite}`,
      group: `<g id="f${index}"${index === 0 ? '' : ' opacity="0"'}><image width="${width}" height="${height}" href="data:image/webp;base64,${webp.toString('base64')}"/><text x="${width / 2}" y="${height + 36}" text-anchor="middle">${caption}</text></g>`,
    };
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height + CAPTION_HEIGHT}" viewBox="0 0 ${width} ${height + CAPTION_HEIGHT}" role="img" aria-label="${frames.map(({ caption }) => caption).join(' ')}" font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="22" fill="#14182b">
<style>${drawn.map(({ style }) => style).join('')}@media (prefers-reduced-motion:reduce){g{animation:none!important}}</style>
<rect width="100%" height="100%" fill="#ffffff"/>
${drawn.map(({ group }) => group).join('\n')}
</svg>
`;
}
