-- CreateTable
CREATE TABLE "GitSync" (
    "id" TEXT NOT NULL,
    "settings" JSONB,
    "secretKeyId" TEXT,
    "secretText" TEXT,
    "remoteCommit" TEXT,
    "lastSyncAt" TIMESTAMP(3),
    "lastError" TEXT,
    "lockedBy" TEXT,
    "lockedUntil" TIMESTAMP(3),

    CONSTRAINT "GitSync_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GitSyncItem" (
    "itemId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "filePath" TEXT NOT NULL,
    "baseHash" TEXT,
    "baseCommit" TEXT,
    "baseAt" TIMESTAMP(3),
    "remoteHash" TEXT,
    "remoteCommit" TEXT,
    "remoteAuthor" TEXT,
    "remoteMessage" TEXT,
    "conflictAt" TIMESTAMP(3),
    "missingAt" TIMESTAMP(3),

    CONSTRAINT "GitSyncItem_pkey" PRIMARY KEY ("itemId")
);
