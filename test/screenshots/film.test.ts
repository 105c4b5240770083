import { expect, it } from 'vitest';
import { drawFilm } from '../../tools/screenshots/film.ts';

it('a film shows each frame for its time, says what it shows, and stands still where no motion is wanted', () => {
  const webp = Buffer.from('picture');
  const frames = [
    { webp, caption: 'Before.', seconds: 3 },
    { webp, caption: 'After.', seconds: 1 },
  ];
  const film = drawFilm(frames, { width: 1280, height: 800 });
  expect(film).toContain('aria-label="Before. After."');
  expect(film).toContain('@keyframes f0{0%{opacity:1}75.00%,100%{opacity:0}}#f0{animation:f0 4s');
  expect(film).toContain('@keyframes f1{0%{opacity:0}75.00%{opacity:1}100.00%,100%{opacity:0}}');
  expect(film).toContain('<g id="f1" opacity="0"><image');
  expect(film).toContain('@media (prefers-reduced-motion:reduce){g{animation:none!important}}');
});
