-- CreateTable
CREATE TABLE "GitSync" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "settings" JSONB,
    "secretKeyId" TEXT,
    "secretText" TEXT,
    "remoteCommit" TEXT,
    "lastSyncAt" DATETIME,
    "lastError" TEXT,
    "lockedBy" TEXT,
    "lockedUntil" DATETIME
);

-- CreateTable
CREATE TABLE "GitSyncItem" (
    "itemId" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "filePath" TEXT NOT NULL,
    "baseHash" TEXT,
    "baseCommit" TEXT,
    "baseAt" DATETIME,
    "remoteHash" TEXT,
    "remoteCommit" TEXT,
    "remoteAuthor" TEXT,
    "remoteMessage" TEXT,
    "conflictAt" DATETIME,
    "missingAt" DATETIME
);
