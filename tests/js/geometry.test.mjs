import assert from "node:assert/strict";
import test from "node:test";
import { branch, cellAt, disc, gridLayout, hatch, hullOf, labelSpots, largest, nearest, placeAt, planeLayout, row, snap, squares, ticks, walk } from "../../src/attention_book/widgets/js/geometry.mjs";

test("a grid never grows wider than its room while cells may be four pixels", () => {
  for (const columns of [1, 3, 7, 40])
    for (const width of [300, 620]) assert.ok(gridLayout(5, columns, [8, 6], width, 30).width <= width, `${columns} in ${width}`);
});

test("a tilted label of the last column ends inside the picture", () => {
  for (const [columns, letters] of [[10, 8], [13, 9], [40, 14]]) {
    const layout = gridLayout(5, columns, [8, letters], 620, 26);
    assert.ok(!layout.level);
    assert.ok(layout.left + (columns - 0.5) * layout.cell + letters * 7.8 * 0.47 <= layout.width, `${columns} × ${letters}`);
  }
});

test("cells are never larger than their limit", () => assert.equal(gridLayout(2, 3, [4, 4], 900, 26).cell, 26));

test("every cell is found at its own middle and nothing is found outside", () => {
  const layout = gridLayout(3, 5, [6, 9], 300, 30), { left, top, cell } = layout;
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 5; c++) assert.deepEqual(cellAt(layout, left + (c + 0.5) * cell, top + (r + 0.5) * cell), [r, c]);
  assert.equal(cellAt(layout, left - 1, top + 1), null);
  assert.equal(cellAt(layout, left + 1, top - 1), null);
  assert.equal(cellAt(layout, left + 5 * cell + 1, top + 1), null);
  assert.equal(cellAt(layout, left + 1, top + 3 * cell + 1), null);
});

test("squares lie inside their cells, rounded where there is room", () => {
  const path = squares({ left: 10, top: 20, cell: 16 }, [[0, 0], [2, 1]], 1, 3);
  assert.deepEqual([...path.matchAll(/M(\S+) (\S+?)h/g)].map((m) => [Number(m[1]), Number(m[2])]), [[13, 21], [45, 37]]);
  const [, across, down] = path.match(/^M13 21h(\S+?)a2 2 0 0 1 2 2v(\S+?)a/);
  assert.deepEqual([across, down], ["9", "9"]); // 13 with two corners of 2
  assert.ok(!squares({ left: 0, top: 0, cell: 10 }, [[0, 0]], 0, 1).includes("a"));
  assert.equal(squares({ left: 0, top: 0, cell: 10 }, [], 0, 1), "");
});

test("a disc lies around its middle, and three lines across it end on its rim", () => {
  assert.equal(disc(30, 20, 10), "M20.0 20.0a10 10 0 1 0 20 0a10 10 0 1 0 -20 0Z");
  const ends = [...hatch(30, 20, 10).matchAll(/[ML](\S+) ([\d.]+)/g)].map((found) => found.slice(1).map(Number));
  assert.equal(ends.length, 6);
  for (const [x, y] of ends) assert.ok(Math.abs(Math.hypot(x - 30, y - 20) - 10) < 0.1, `${x}, ${y}`);
  for (let i = 0; i < 6; i += 2) assert.ok(ends[i + 1][0] > ends[i][0] && ends[i + 1][1] < ends[i][1], "upwards");
});

test("thinned labels do not touch", () => {
  const { thin, cell } = gridLayout(64, 48, [2, 2], 620, 6);
  assert.ok(thin[0] * cell >= 14);
  assert.ok(thin[1] * cell >= 2 * 7.8);
});

test("arrow keys move by one and stop at the edge", () => {
  assert.deepEqual(walk([1, 2], "ArrowUp", 3, 5), [0, 2]);
  assert.deepEqual(walk([0, 2], "ArrowUp", 3, 5), [0, 2]);
  assert.deepEqual(walk([2, 4], "ArrowDown", 3, 5), [2, 4]);
  assert.deepEqual(walk([2, 4], "ArrowRight", 3, 5), [2, 4]);
  assert.deepEqual(walk([2, 4], "ArrowLeft", 3, 5), [2, 3]);
});

test("Home and End reach the ends of a row, Page keys those of a column", () => {
  assert.deepEqual(walk([1, 2], "Home", 3, 5), [1, 0]);
  assert.deepEqual(walk([1, 2], "End", 3, 5), [1, 4]);
  assert.deepEqual(walk([1, 2], "PageUp", 3, 5), [0, 2]);
  assert.deepEqual(walk([1, 2], "PageDown", 3, 5), [2, 2]);
});

test("the first key enters at the first cell, other keys and empty grids do nothing", () => {
  assert.deepEqual(walk(null, "ArrowDown", 3, 5), [0, 0]);
  assert.equal(walk([0, 0], "a", 3, 5), null);
  assert.equal(walk(null, "ArrowDown", 0, 5), null);
});

test("ticks are round, inside, and not too many", () => {
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks(3, 24, 5), [5, 10, 15, 20]);
  assert.deepEqual(ticks(-0.13, 0.27, 4), [-0.1, 0, 0.1, 0.2]);
  for (const n of [2, 4, 9]) assert.ok(ticks(2, 40, n).length <= n + 1);
});

test("nearest, row and largest pick what they say", () => {
  assert.equal(nearest([3, 6, 12], 8), 1);
  assert.equal(nearest([3, 6, 12], 99), 2);
  const array = { shape: [2, 3], data: Float64Array.from([1, 2, 3, 4, 6, 5]) };
  assert.deepEqual([...row(array, 1)], [4, 6, 5]);
  assert.equal(largest(row(array, 1)), 1);
});

test("a dragged box changes places once it is past its neighbour's middle, and stays there", () => {
  const middles = [10, 40, 70]; // of boxes 20, 40 and 20 wide
  assert.equal(placeAt(middles, 0, 39), 0);
  assert.equal(placeAt(middles, 0, 41), 1);
  assert.equal(placeAt([20, 50, 70], 1, 41), 1); // the wide one is on its left now
  assert.equal(placeAt(middles, 0, 500), 2);
  assert.equal(placeAt(middles, 2, -5), 0);
});

test("a plane has its origin in the middle, y upwards, and leads back to where it came from", () => {
  const { toPage, fromPage } = planeLayout([-3, 3], 260, 10);
  assert.deepEqual(toPage([0, 0]), [130, 130]);
  assert.deepEqual(toPage([3, 2]), [250, 50]);
  assert.deepEqual(fromPage(toPage([-1.5, 2.25])), [-1.5, 2.25]);
});

test("a label stands outwards of its point, and turns from an edge, a point, an arrow and another label", () => {
  const origin = [100, 100], spots = (...points) => labelSpots(points.map((each) => ({ radius: 6, arrow: false, ...each })), origin, 200).map((spot) => spot.map(Math.round));
  const alone = { at: [150, 100] };
  assert.deepEqual(spots(alone, { at: [185, 100] })[0], [167, 100]);
  assert.notDeepEqual(spots(alone, { at: [178, 104] })[0], [167, 100]);
  const [, top] = spots({ at: [100, 190] })[0];
  assert.ok(top <= 190, "not below the square");
  assert.notDeepEqual(spots(alone, { at: [195, 102], arrow: true })[0], [167, 100]);
  const [v, y] = spots({ at: [150, 60] }, { at: [150, 60], radius: 10 });
  assert.ok(Math.hypot(v[0] - y[0], v[1] - y[1]) >= 17, "two names of one place");
});

test("a dragged number is a whole number of steps, as short as it can be, between its ends", () => {
  const limits = { low: -3, high: 2.95, step: 0.1 };
  assert.equal(snap(0.3 + 1e-9, limits), 0.3);
  assert.equal(snap(-0.26, limits), -0.3);
  assert.deepEqual([snap(-99, limits), snap(99, limits)], [-3, 2.95]);
});

test("a hull has the outer points for its corners, in turn", () => {
  const outer = [[0, 0], [4, 0], [5, 3], [1, 4]];
  const got = hullOf([[2, 1], outer[2], outer[0], [3, 2], outer[3], outer[1], [2, 0]]);
  assert.deepEqual(got, outer);
  assert.deepEqual(hullOf([[1, 2]]), [[1, 2]]);
  assert.deepEqual(hullOf([[0, 0], [1, 1], [2, 2]]), [[0, 0], [2, 2]]);
});

test("a branch slants to the next row only, and goes past others straight down", () => {
  assert.equal(branch([10, 27], [40, 54], 27, 18), "M10 45L40 54");
  assert.equal(branch([10, 27], [40, 108], 27, 18), "M10 45L40 54V108");
});
