-- CreateTable
CREATE TABLE "RunText" (
    "runId" TEXT NOT NULL PRIMARY KEY,
    "position" BIGINT NOT NULL,
    "rowVersion" INTEGER NOT NULL,
    "words" TEXT NOT NULL,
    CONSTRAINT "RunText_runId_fkey" FOREIGN KEY ("runId") REFERENCES "DagRun" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "run_text_position_key" ON "RunText"("position");

-- CreateTable
CREATE TABLE "RunTextDue" (
    "createdAt" DATETIME NOT NULL,
    "runId" TEXT NOT NULL,
    "rowVersion" INTEGER NOT NULL,

    PRIMARY KEY ("createdAt", "runId", "rowVersion")
);

-- The words are already as they are looked for, so nothing but blanks separates them.
CREATE VIRTUAL TABLE "run_text_words" USING fts5("words", content='RunText', content_rowid='position', detail='none', columnsize=0, prefix='1 2 3', tokenize="ascii tokenchars ':'");

CREATE TRIGGER "run_text_words_insert" AFTER INSERT ON "RunText" BEGIN
    INSERT INTO "run_text_words" ("rowid", "words") VALUES (NEW."position", NEW."words");
END;

CREATE TRIGGER "run_text_words_delete" AFTER DELETE ON "RunText" BEGIN
    INSERT INTO "run_text_words" ("run_text_words", "rowid", "words") VALUES ('delete', OLD."position", OLD."words");
END;

CREATE TRIGGER "run_text_words_update" AFTER UPDATE ON "RunText" BEGIN
    INSERT INTO "run_text_words" ("run_text_words", "rowid", "words") VALUES ('delete', OLD."position", OLD."words");
    INSERT INTO "run_text_words" ("rowid", "words") VALUES (NEW."position", NEW."words");
END;

CREATE TRIGGER "run_text_due_insert" AFTER INSERT ON "DagRun" WHEN NEW."depth" = 0 BEGIN
    INSERT OR IGNORE INTO "RunTextDue" ("createdAt", "runId", "rowVersion") VALUES (NEW."createdAt", NEW."id", NEW."rowVersion");
END;

CREATE TRIGGER "run_text_due_update" AFTER UPDATE OF "status" ON "DagRun" WHEN NEW."depth" = 0 AND NEW."finishedAt" IS NOT NULL BEGIN
    INSERT OR IGNORE INTO "RunTextDue" ("createdAt", "runId", "rowVersion") VALUES (NEW."createdAt", NEW."id", NEW."rowVersion");
END;

-- Runs that exist are marked here, and indexed by servers that have this version.
INSERT INTO "RunTextDue" ("createdAt", "runId", "rowVersion") SELECT "createdAt", "id", "rowVersion" FROM "DagRun" WHERE "depth" = 0;
