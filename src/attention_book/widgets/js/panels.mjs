// Every kind of panel: a function (host, panel, tell) -> { draw(values, width), again?(), focus?(focus), table?(), idle?(), news?(), edits?() };
// again: point once more at what it points at;
// news: what has come out of a change since the figure was first drawn.
import { arcs } from "./panels/arcs.mjs";
import { bars } from "./panels/bars.mjs";
import { heatMap } from "./panels/heat_map.mjs";
import { lines } from "./panels/lines.mjs";
import { looks } from "./panels/looks.mjs";
import { maps } from "./panels/maps.mjs";
import { matrices } from "./panels/matrices.mjs";
import { network } from "./panels/network.mjs";
import { picture } from "./panels/picture.mjs";
import { plane } from "./panels/plane.mjs";
import { reorder } from "./panels/reorder.mjs";
import { spotlight } from "./panels/spotlight.mjs";
import { stream } from "./panels/stream.mjs";
import { text } from "./panels/text.mjs";
import { tokens } from "./panels/tokens.mjs";
import { tree } from "./panels/tree.mjs";
import { vectors } from "./panels/vectors.mjs";

export const PANELS = { arcs, bars, heat_map: heatMap, lines, looks, maps, matrices, network, picture, plane, reorder, spotlight, stream, text, tokens, tree, vectors };
