-- CreateTable
CREATE TABLE "StoreCopy" (
    "tableName" TEXT NOT NULL PRIMARY KEY,
    "source" TEXT NOT NULL,
    "level" INTEGER NOT NULL DEFAULT 0,
    "lastKey" JSONB NOT NULL,
    "isDone" BOOLEAN NOT NULL DEFAULT false
);
