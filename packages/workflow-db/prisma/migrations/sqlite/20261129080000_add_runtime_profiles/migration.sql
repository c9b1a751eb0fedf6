-- AlterTable
ALTER TABLE "DagRun" ADD COLUMN "profile" TEXT;
ALTER TABLE "DagRun" ADD COLUMN "profileLayers" JSONB;

-- CreateTable
CREATE TABLE "RuntimeProfile" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "isDisabled" BOOLEAN NOT NULL,
    "isProtected" BOOLEAN NOT NULL,
    "defaultProfile" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "RuntimeProfileEntry" (
    "profileId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT,
    "keyId" TEXT,
    "text" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,

    PRIMARY KEY ("profileId", "key"),
    CONSTRAINT "RuntimeProfileEntry_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "RuntimeProfile" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "runtime_profile_name_key" ON "RuntimeProfile"("name");
