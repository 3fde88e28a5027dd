// Contact points of a group, found from the poses: spheres on planes and spheres on spheres.
import { multiplied, turned, world } from "./parts";
import type { Collider } from "./recording";

interface Ball { x: number[]; r: number; first: boolean; second: boolean }
interface Sheet { x: number[]; n: number[]; first: boolean; second: boolean }

const SLACK = 2e-3; // gap that counts as touching, in radii

/** Calls `found` with each point where two shapes of the group touch at the poses p (frames, 3), q (frames, 4); those on frames that are away do not. */
export function touching(group: { a: Collider[]; b?: Collider[] }, p: Float32Array, q: Float32Array, away: Set<number>, found: (point: number[]) => void) {
  const balls: Ball[] = [], sheets: Sheet[] = [];
  const add = (list: Collider[], first: boolean, second: boolean) => {
    for (const [kind, r, place] of list) {
      if (away.has(place[0])) continue;
      const x = world(place[0], place.slice(1, 4), p, q);
      if (kind === "sphere") balls.push({ x, r, first, second });
      else {
        const turn = place[0] < 0 ? place.slice(4, 8) : multiplied([...q.subarray(4 * place[0], 4 * place[0] + 4)], place.slice(4, 8));
        sheets.push({ x, n: turned(turn, [0, 0, 1]), first, second });
      }
    }
  };
  add(group.a, true, !group.b);
  if (group.b) add(group.b, false, true);
  const meet = (i: Ball | Sheet, j: Ball | Sheet) => (i.first && j.second) || (i.second && j.first);
  for (const s of sheets)
    for (const ball of balls) {
      if (!meet(s, ball)) continue;
      const gap = s.n.reduce((sum, n, k) => sum + n * (ball.x[k] - s.x[k]), 0) - ball.r;
      if (gap < SLACK * ball.r) found(ball.x.map((x, k) => x - ball.r * s.n[k]));
    }
  // Sweep along x: only balls whose ranges overlap there are compared.
  balls.sort((i, j) => i.x[0] - i.r - (j.x[0] - j.r));
  for (let i = 0; i < balls.length; i++)
    for (let j = i + 1; j < balls.length && balls[j].x[0] - balls[j].r <= balls[i].x[0] + balls[i].r * (1 + SLACK); j++) {
      const a = balls[i], b = balls[j];
      const d = [b.x[0] - a.x[0], b.x[1] - a.x[1], b.x[2] - a.x[2]], square = d[0] ** 2 + d[1] ** 2 + d[2] ** 2, reach = (a.r + b.r) * (1 + SLACK);
      if (square < reach * reach && square > 0 && meet(a, b)) found(a.x.map((x, k) => x + (a.r / Math.sqrt(square)) * d[k]));
    }
}
