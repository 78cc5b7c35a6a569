// The shapes that come over the wire. The kernel owns them; here they only have names.

/**
 * @typedef {{id: string, side: string, space?: string|null, place?: string, name?: string, kind?: string,
 *   size?: string, nation?: string, formation?: string, steps?: number, full_steps?: number,
 *   ratings?: Record<string, string>, states?: string[], status?: string, standing?: string, art?: string}} Piece
 * @typedef {{kind: string, space: string, beside?: string|null, side?: string|null, text?: string}} Marker
 * @typedef {{id: string, name: string, value: string, number?: number|null, maximum?: number|null, boxes?: string[], notes?: string[], noted?: string,
 *   detail?: string, sign?: string, spent?: boolean, cards?: Card[]}} Track
 * @typedef {{name?: string, note?: string, state?: string}} Card
 * @typedef {{id: string, name: string, side?: string|null, spaces?: string[], lines?: string[][], text?: string, rule?: string, formation?: string, cut?: boolean, length?: number|null}} Overlay
 * @typedef {{text: string, value: number, rule: string}} Points
 * @typedef {{title: string, scenario: string, side: string|null, actor: string|null, prompt: string, rule: string,
 *   turn: string, phase?: string, phase_side?: string|null, caution?: string, options?: Record<string, boolean|number|string>, tracks?: Track[], pieces?: Piece[],
 *   control?: Record<string, string>, markers?: Marker[], overlays?: Overlay[],
 *   reach?: Record<string, Record<string, string>>, stops?: Record<string, Record<string, string>>, score?: Points[], orders?: Record<string, string>, over?: boolean}} View
 * @typedef {{text: string, kind: string, label: string, units: string[], spaces: string[], price?: string, odds?: boolean,
 *   final?: boolean}} Action
 * @typedef {Record<string, any> & {text: string, rule: string, kind: string, headline?: boolean, march?: March, aside?: boolean}} GameEvent
 * @typedef {{who: string, start: string, end: string}} March
 * @typedef {{seq: number, text: string, rule?: string|null, kind?: string, by?: string|null, side?: string|null, only?: string|null, march?: March, aside?: boolean, opens?: boolean}} LogLine
 * @typedef {{name: string, value: number, rule: string, side?: string, adds?: string}} Modifier
 * @typedef {{text: string, probability: number, favours?: string|null, faces?: number[]}} Chance
 * @typedef {{score: string, name: string, winner: string|null}} Rung
 * @typedef {{modifiers: Modifier[], outcomes: Chance[], assumes?: string[], margins?: [number, number, string][]}} Odds
 * @typedef {{unit: string, value?: string, why?: string, rule?: string, side?: string}} Part
 * @typedef {{side: string, total: string, parts: Part[], left_out?: Part[], note?: string, rule?: string}} Force
 * @typedef {{columns: {name: string, probability?: number}[], ratio: string, rule: string, next?: string}} Columns
 * @typedef {{text: string, sign: string, one: string, many: string, key: string, count?: string}} Effect
 * @typedef {{text: string, attacker?: Effect[], defender?: Effect[], attacker_loss?: number, defender_loss?: number, band?: string}} Result
 * @typedef {{attacker: Force, defender: Force, dice: string, faces: {face: string, result: string}[], results: Result[],
 *   measure: string, columns?: Columns, later?: Part[]}} Sheet
 * @typedef {{space: string, cost: string}} Leg
 * @typedef {{winner: string|null, level: string, text: string, rule: string, score?: Points[]}} Outcome
 * @typedef {{name?: string, kind?: string, level?: string, here?: boolean, online?: boolean}} Player
 * @typedef {{type: string, seq: number, you: string|null, view: View, actions: Action[], can_undo: boolean,
 *   players: Record<string, Player>, chat: any[], log: LogLine[], clocks?: any, offers?: any, note?: string,
 *   outcome?: Outcome|null, ladder?: Rung[], version?: string, steps?: any[]}} GameState
 * @typedef {{id: string, name: string, x: number, y: number, polygon: number[][], terrain?: string|string[],
 *   neighbours?: Record<string, string>, sides?: Record<string, string[]>, vp?: number, status?: string, land?: boolean,
 *   off_map?: boolean, marks?: [number, number], slot?: {x: number, y: number, w: number, h: number}}} BoardSpace
 * @typedef {{width: number, height: number, kind?: string, unit?: number, counter?: number, kilometres?: number,
 *   layers?: string[], title?: string, key?: [string, string][], formations?: [string, string][], tracks?: [number, number, number, number]|null, spaces: BoardSpace[]}} BoardData
 * @typedef {{id: string, name: string, sides: string[], side_names: Record<string, string>,
 *   scenarios: {id: string, name: string, text: string}[],
 *   options: {id: string, name: string, rule: string, text: string, default: any, choices?: string[], least?: number, most?: number}[],
 *   interrupts: {id: string, name: string, rule: string, settings?: string[], suggested?: string}[], credits: string, bids: boolean, action_rules?: Record<string, string>, spends?: string[], goes_on?: string[], places?: string[], meanings?: Record<string, string>}} TitleInfo
 * @typedef {{number: string, heading: string, text: string}} Rule
 */
export {};
