-- A database of schema version 1 as a server of that version left it: a link game in its 12th
-- line, one side of it claimed by an account (password "kept in version 1"), talk, a notepad, and an
-- open table.

CREATE TABLE accounts (
  id TEXT NOT NULL,
  name TEXT DEFAULT '' NOT NULL,
  folded TEXT NOT NULL,
  password TEXT DEFAULT '' NOT NULL,
  created BIGINT DEFAULT '0' NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (folded)
);
INSERT INTO accounts VALUES ('dxFTvJYUZX0a', 'Anne', 'anne', '$argon2id$v=19$m=65536,t=3,p=4$ptDHP/hWxET6z2bTBxYrPQ$TZJAFDhH3eeIvfRmmAvWsC5JazXq9Rahyxh9aqFbWJc', 1794740479818);
CREATE TABLE games (
  id TEXT NOT NULL,
  created BIGINT DEFAULT '0' NOT NULL,
  title TEXT DEFAULT '' NOT NULL,
  scenario TEXT DEFAULT '' NOT NULL,
  options TEXT DEFAULT '' NOT NULL,
  position TEXT DEFAULT '' NOT NULL,
  seed TEXT DEFAULT '' NOT NULL,
  words TEXT DEFAULT '' NOT NULL,
  mode TEXT DEFAULT '' NOT NULL,
  status TEXT DEFAULT '' NOT NULL,
  clock TEXT DEFAULT '' NOT NULL,
  data TEXT DEFAULT '' NOT NULL,
  digest TEXT DEFAULT '' NOT NULL,
  version BIGINT DEFAULT '0' NOT NULL,
  bids TEXT DEFAULT '' NOT NULL,
  seq BIGINT DEFAULT '0' NOT NULL,
  actor TEXT DEFAULT '' NOT NULL,
  moved BIGINT DEFAULT '0' NOT NULL,
  deadline BIGINT DEFAULT '0' NOT NULL,
  result TEXT DEFAULT '' NOT NULL,
  rematch TEXT DEFAULT '' NOT NULL,
  parent TEXT DEFAULT '' NOT NULL,
  begun BIGINT DEFAULT '0' NOT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX games_by_status ON games (status, created);
CREATE INDEX games_by_deadline ON games (deadline);
INSERT INTO games VALUES ('zl5a8NUit9wB', 1794740479123, 'battleaxe', 'june', '{"bid":10,"historical_setup":false,"advantage_uses":false,"luftwaffe":false,"consolidated_4rtr":false,"reserves":false,"italian_reliability":false,"tobruk_bonus":false,"extended":false,"reduced_lead_dies":false,"tanks_only":false}', '', 'c9e260f2e78bd79355ddf9a1971684e274ab3be4ffef25b0356877efbc2641e1', '[]', 'link', 'playing', 'null', '', 'bb9ead4b2e79e8f1', 1, '{}', 12, 'axis', 1794740479249, 0, '', '', '', 1794740479123);
INSERT INTO games VALUES ('iMns8cOBXOSp', 1794740479933, 'battleaxe', 'june', '{"bid":10,"historical_setup":false,"advantage_uses":false,"luftwaffe":false,"consolidated_4rtr":false,"reserves":false,"italian_reliability":false,"tobruk_bonus":false,"extended":false,"reduced_lead_dies":false,"tanks_only":false}', '', 'dac0ab743650c7bbf1c63e03d05afbf6c1b137953eb2ff65dac0bfdfb84ea3f3', '[]', 'open', 'waiting', 'null', '', 'bb9ead4b2e79e8f1', 1, '{}', 0, '', 1794740479933, 0, '', '', '', 0);
CREATE TABLE meta (
  "key" TEXT NOT NULL,
  value TEXT DEFAULT '' NOT NULL,
  PRIMARY KEY ("key")
);
INSERT INTO meta VALUES ('health', '');
INSERT INTO meta VALUES ('schema', '1');
CREATE TABLE actions (
  game TEXT NOT NULL,
  seq BIGINT NOT NULL,
  text TEXT DEFAULT '' NOT NULL,
  dice TEXT DEFAULT '' NOT NULL,
  "by" TEXT DEFAULT '' NOT NULL,
  at BIGINT DEFAULT '0' NOT NULL,
  request TEXT DEFAULT '' NOT NULL,
  PRIMARY KEY (game, seq),
  FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE)
 WITHOUT ROWID;
INSERT INTO actions VALUES ('zl5a8NUit9wB', 1, 'setup 11H B', '', 'allied', 1794740479218, 'allied:4363bd9d18-1');
INSERT INTO actions VALUES ('zl5a8NUit9wB', 2, 'setup CIH A', '', 'allied', 1794740479234, 'allied:4363bd9d18-2');
INSERT INTO actions VALUES ('zl5a8NUit9wB', 3, 'assault D', '', 'allied', 1794740479236, 'allied:4363bd9d18-3');
INSERT INTO actions VALUES ('zl5a8NUit9wB', 4, 'move 2RTR C', '', 'allied', 1794740479238, 'allied:4363bd9d18-4');
INSERT INTO actions VALUES ('zl5a8NUit9wB', 5, 'move 12AT 4', '', 'allied', 1794740479240, 'allied:4363bd9d18-5');
INSERT INTO actions VALUES ('zl5a8NUit9wB', 6, 'move 2/RB E', '', 'allied', 1794740479241, 'allied:4363bd9d18-6');
INSERT INTO actions VALUES ('zl5a8NUit9wB', 7, 'move 1/KRR 11', '', 'allied', 1794740479243, 'allied:4363bd9d18-7');
INSERT INTO actions VALUES ('zl5a8NUit9wB', 8, 'move 1/KRR 10', '', 'allied', 1794740479244, 'allied:4363bd9d18-8');
INSERT INTO actions VALUES ('zl5a8NUit9wB', 9, 'move 6RTR C', '', 'allied', 1794740479245, 'allied:4363bd9d18-9');
INSERT INTO actions VALUES ('zl5a8NUit9wB', 10, 'end', '', 'allied', 1794740479247, 'allied:4363bd9d18-10');
INSERT INTO actions VALUES ('zl5a8NUit9wB', 11, 'advantage no', '', 'allied', 1794740479248, 'allied:4363bd9d18-11');
INSERT INTO actions VALUES ('zl5a8NUit9wB', 12, 'assault 6', '', 'axis', 1794740479249, 'axis:f4a16a1ba3-1');
CREATE TABLE addresses (
  id TEXT NOT NULL,
  account TEXT,
  game TEXT,
  side TEXT DEFAULT '' NOT NULL,
  kind TEXT DEFAULT '' NOT NULL,
  target TEXT DEFAULT '' NOT NULL,
  token TEXT DEFAULT '' NOT NULL,
  confirmed BIGINT DEFAULT '0' NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY(account) REFERENCES accounts (id) ON DELETE CASCADE,
  FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE INDEX addresses_by_game ON addresses (game);
CREATE INDEX addresses_by_account ON addresses (account);
CREATE TABLE chat (
  game TEXT NOT NULL,
  n BIGINT NOT NULL,
  "by" TEXT DEFAULT '' NOT NULL,
  name TEXT DEFAULT '' NOT NULL,
  text TEXT DEFAULT '' NOT NULL,
  at BIGINT DEFAULT '0' NOT NULL,
  request TEXT DEFAULT '' NOT NULL,
  PRIMARY KEY (game, n),
  FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO chat VALUES ('zl5a8NUit9wB', 1, 'allied', 'Anne', 'it''s a long way to Tobruk', 1794740479251, 'allied:4363bd9d18-12');
CREATE TABLE notices (
  id TEXT NOT NULL,
  game TEXT NOT NULL,
  side TEXT DEFAULT '' NOT NULL,
  kind TEXT DEFAULT '' NOT NULL,
  seq BIGINT DEFAULT '0' NOT NULL,
  due BIGINT DEFAULT '0' NOT NULL,
  tries BIGINT DEFAULT '0' NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (game, side, kind, seq),
  FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
CREATE INDEX notices_by_due ON notices (due);
CREATE TABLE seats (
  game TEXT NOT NULL,
  side TEXT NOT NULL,
  token TEXT DEFAULT '' NOT NULL,
  kind TEXT DEFAULT '' NOT NULL,
  level TEXT DEFAULT '' NOT NULL,
  name TEXT DEFAULT '' NOT NULL,
  account TEXT,
  joined BIGINT DEFAULT '0' NOT NULL,
  seen BIGINT DEFAULT '0' NOT NULL,
  looked BIGINT DEFAULT '0' NOT NULL,
  note TEXT DEFAULT '' NOT NULL,
  PRIMARY KEY (game, side),
  FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE,
  FOREIGN KEY(account) REFERENCES accounts (id) ON DELETE SET NULL
);
CREATE INDEX seats_by_account ON seats (account);
INSERT INTO seats VALUES ('zl5a8NUit9wB', 'allied', 'eabe0739b4b7826a835dee47816963cda3b27aad5417197a3698f7a46d991e91', 'human', '', 'Anne', 'dxFTvJYUZX0a', 1794740479123, 0, 12, '');
INSERT INTO seats VALUES ('zl5a8NUit9wB', 'axis', 'd02ba8cbc1e047285f36f207ba4017b4b02621ea1ebc727bf35003b6bbfa7e37', 'human', '', 'Bert', NULL, 0, 0, 12, 'hold the pass');
INSERT INTO seats VALUES ('iMns8cOBXOSp', 'allied', '', 'human', '', '', NULL, 0, 0, 0, '');
INSERT INTO seats VALUES ('iMns8cOBXOSp', 'axis', '27fe0b82ddfa8d046006a18df1e4ce9c9ee501d8b08060a0e856f713c4391820', 'human', '', 'Host', NULL, 1794740479933, 0, 0, '');
CREATE TABLE sessions (
  id TEXT NOT NULL,
  token TEXT NOT NULL,
  account TEXT NOT NULL,
  created BIGINT DEFAULT '0' NOT NULL,
  seen BIGINT DEFAULT '0' NOT NULL,
  agent TEXT DEFAULT '' NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (token),
  FOREIGN KEY(account) REFERENCES accounts (id) ON DELETE CASCADE
);
CREATE INDEX sessions_by_account ON sessions (account);
INSERT INTO sessions VALUES ('OBEvBDK9vzbP', '1576188d28890017e71ed21625092ee0f3707c6c70ff1620b41393f3c9e5bf06', 'dxFTvJYUZX0a', 1794740479830, 1794740479830, 'python-httpx/0.28.1');
